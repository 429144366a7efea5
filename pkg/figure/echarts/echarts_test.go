package echarts

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

func TestLoadIsPinnedAndCached(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	first, err := Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", "") // a second load needs no npm
	second, err := Load(t.Context())
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("the second load: %v", err)
	}
	if !bytes.HasPrefix(first, []byte(`var echarts=`)) || bytes.Contains(bytes.ToLower(first), []byte("</script")) {
		t.Errorf("not a script that can stand in a page: %.60s", first)
	}
}

func TestNoNpmAndNoCacheSaysWhatToDo(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	_, err := Load(t.Context())
	if err == nil || !strings.Contains(err.Error(), "install Node.js") || !strings.Contains(err.Error(), "-echarts FILE") {
		t.Errorf("the error is %v", err)
	}
}

func TestLockHasNoAddresses(t *testing.T) {
	if bytes.Contains(packageLock, []byte("://")) || bytes.Count(packageLock, []byte(`"integrity": "sha512-`)) != 3 {
		t.Error("package-lock.json must have hashes and no download addresses: " +
			"npm install --package-lock-only --omit-lockfile-registry-resolved")
	}
}
