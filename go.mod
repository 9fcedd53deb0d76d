module darkroom

go 1.26.8

require (
	github.com/alecthomas/kong v1.17.0
	github.com/cogentcore/webgpu v0.23.0
	github.com/klauspost/compress v1.20.4
	github.com/onsi/ginkgo/v2 v2.34.0
	github.com/onsi/gomega v1.44.0
	github.com/qmuntal/gltf v0.28.0
	github.com/tetratelabs/wazero v1.12.0
	github.com/vbauerster/mpb/v8 v8.16.2
	golang.org/x/image v0.48.0
)
