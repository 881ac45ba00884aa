// SPDX-License-Identifier: MIT

// What a static Go program does with the folder $FOLDER (doors prepare laid it out). Prints "NAME RESULT" lines, RESULT being
// ok or an errno's number.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func say(name string, err error) {
	var number syscall.Errno
	word := "ok"
	if errors.As(err, &number) {
		word = fmt.Sprint(int(number))
	} else if err != nil {
		word = err.Error()
	}
	fmt.Println(name, word)
}

// Not having a route there is as good as having been let through.
func dial() error {
	_, err := net.DialTimeout("tcp", "192.0.2.1:9", 50*time.Millisecond)
	if errors.Is(err, syscall.EACCES) {
		return err
	}
	return nil
}

func main() {
	folder := os.Getenv("FOLDER")
	_, err := os.ReadFile(folder + "/file")
	say("read", err)
	say("write", os.WriteFile(folder+"/file", []byte("go\n"), 0600))
	say("create", os.WriteFile(folder+"/made", []byte("go\n"), 0600))
	_, err = os.ReadDir(folder)
	say("list", err)
	say("mkdir", os.Mkdir(folder+"/d", 0700))
	say("rename", os.Rename(folder+"/victim1", folder+"/moved"))
	say("remove", os.Remove(folder+"/victim2"))
	say("chmod", os.Chmod(folder+"/file", 0600))
	say("run", exec.Command(folder+"/program").Run())
	say("dial", dial())
}
