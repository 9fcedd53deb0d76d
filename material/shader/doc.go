// Package shader is a material of the user's own WGSL: a vertex and a fragment
// stage, the vertex attributes, uniforms, textures and constants that they
// name, and the fixed-function state. It is what Babylon.js calls
// ShaderMaterial; there is no GLSL and no preprocessor.
//
//	m, err := shader.New(shader.Options{
//		Name:       "pulse",
//		Attributes: []string{"position"},
//		System:     []shader.System{shader.WorldViewProjection},
//		Uniforms:   []shader.Uniform{{Name: "time", Type: "f32"}},
//		Vertex: `
//	struct VertexOutput { @builtin(position) position: vec4<f32> };
//	@vertex fn mainVertex(input: VertexInput) -> VertexOutput {
//	    var out: VertexOutput;
//	    out.position = shaderSystem.worldViewProjection * vec4<f32>(input.position, 1.0);
//	    return out;
//	}`,
//		Fragment: `
//	@fragment fn mainFragment() -> @location(0) vec4<f32> {
//	    return vec4<f32>(fract(shaderUniforms.time), 0.0, 0.0, 1.0);
//	}`,
//	})
//
// # The prelude
//
// Ahead of the user's WGSL each stage has, in this order: scene and lights
// (group 0, as in package material), shaderSystem (group 1, binding 0, always
// there), shaderUniforms (binding 1, where there are any), each sampler as NAME
// and NAMESampler, each external texture likewise, the storage buffers, the
// defines as constants in alphabetical order; the vertex stage then has
// VertexInput and the helpers. The user's code may declare none of these
// names and no bind group. Matrices multiply column vectors from the left:
// viewProjection is projection * view. Every varying that the vertex stage
// writes must be read by the fragment stage: the backend asks for it.
//
// # Meshes
//
// An attribute that a mesh lacks reads zeros. A mesh's thin instances add world0
// to world3 and, unless NoInstanceColors is set, instanceColor to VertexInput;
// the user's code multiplies them in by itself or calls getFinalWorld and
// getFinalColor, which also work without instances. getFinalWorld has the
// mesh's skin in it. Under a floating origin the system values are relative to
// the eye: world, worldView and worldViewProjection have small offsets and
// cameraPosition is zero, so that cameraPosition - worldPosition is still right.
//
// # Uniforms
//
// A value that is set is packed at once. Of the material's buffer only the one
// range about all changes since the last frame is uploaded, and nothing if
// nothing changed; setting what is there already is no change. Materials that
// compose to the same bytes share shader, layouts and pipelines, whatever
// their names and values, and need not ask for it.
//
// One promise of the reference engine is not kept: instances are not culled on
// the GPU. All are drawn, which gives the same picture.
//
// # What the reference engine promises, and what shows it
//
// The rows follow the documentation of its ShaderMaterial, in the same order:
// its promise, our name, the tests or catalogue scenes.
//
//	createShaderMaterial: a synchronous factory over WGSL strings | New | TestRefused, scene159-shader-material-basic
//	no GLSL, no preprocessor | New's errors | TestRefused
//	a material is plain data; layouts come from typed options, never from parsing emitted WGSL | Options | TestPreludeOrder, TestKeys
//	sharing of equivalent materials' modules, layouts and pipelines, values apart | always on: renderer's caches go by content | TestShaderMaterialsShareOnePipeline, TestKeys
//	attributes by name, in binding and location order, unsupported ones refused, position required | Options.Attributes | TestPreludeOrder, TestRefused
//	setShaderAttributeFormats: type and stride follow the declared format, snapshotted | Options.Formats | TestFormats
//	mesh with another format than declared is refused | Material.Shader | TestFormats
//	storage-backed streams with a packing of the mesh's own, one pipeline for each packing | material/streams | TestShaderPackedStreams, TestShaderComputedStreams
//	missing streams are zero-filled with zero stride, white under final colour | composer.Attribute.Constant | TestMissingStreams, TestShaderMissingStreamsAreZero
//	thin instances: world0 … world3, instanceColor after the declared attributes | material/instances | TestInstances, TestShaderInstances, scene165-shader-material-thin-instances
//	useThinInstanceColors | Options.NoInstanceColors | TestInstances
//	enableShaderMaterialInstanceWorld: getFinalWorld(input), needs world | Options.InstanceWorld | TestInstances, TestSkinAndMorph, TestRefused
//	enableShaderMaterialFinalColor: getFinalColor(input) | Options.FinalColor | TestFinalColor, TestShaderMissingStreamsAreZero
//	materials without the helpers keep the plain prelude | New | TestPlainPrelude
//	nine system uniforms: world … alphaCutoff (0.4 before it is set) | System | TestSystemUniforms, TestPreludeOrder
//	typed custom uniforms with defaults; an untyped name is refused | Uniform | TestRangeUpdates, TestRefused, scene161-shader-material-uniform
//	samplers by name, sample types float, unfilterable-float and depth; depth does not filter | Sampler | TestPreludeOrder, TestSetters, scene160-shader-material-texture
//	external textures: declared, sampled with textureSampleBaseClampToEdge, nearest and clamped | Options.Externals, External | TestShaderExternalTexture, TestPreludeOrder
//	external frames are imported for every frame; the source stays the caller's | FrameSource | TestShaderExternalTexture
//	isExternalTextureReady | External.Ready | TestShaderExternalTexture
//	a name in both samplers and externalTextures is refused | New | TestRefused
//	defines become typed constants and part of the key | Options.Defines | TestPreludeOrder, TestKeys, scene162-shader-material-defines
//	setShaderUniform: unknown name, wrong type and wrong count are refused | Material.Set | TestSetters
//	setShaderFloat, setShaderVector3, setShaderMatrix | SetFloat, SetVec2, SetVec3, SetVec4, SetMatrix | TestSetters
//	enableShaderMaterialUniformCaching: only what was set is packed again | always on | TestRangeUpdates
//	enableShaderUniformRangeUpdates: one range about all changes, 4-byte aligned, whole at first | always on | TestRangeUpdates, TestShaderUniformUploads
//	system uniforms upload nothing of the custom buffer | always so | TestShaderUniformUploads
//	setShaderTexture: unknown sampler and wrong kind are refused, the same again changes nothing | Material.SetTexture | TestSetters, TestResourceVersion, TestShaderMisuseBeforeGPU
//	setShaderExternalTexture, getShaderExternalTexture | SetExternal, External | TestSetters, TestViews
//	storage buffers that the shader reads | Options.Buffers, SetBuffer | TestSetters, TestShaderStorageBuffer
//	entry points mainVertex and mainFragment are the user's, unchanged | Options.VertexEntry, FragmentEntry | TestRefused, TestShaderCompileErrorLine
//	the prelude's order and names | Material.Shader | TestPreludeOrder, TestPlainPrelude
//	user code must not declare groups, VertexInput or generated names | New's errors | TestRefused, TestTaken
//	duplicate identifiers of uniforms, samplers, external textures and defines are refused | New's errors | TestRefused
//	bind group layout: system at 0, custom at 1, textures, external textures | Material.Shader | TestPreludeOrder
//	uniform layout as computeUboLayout | composer.Layout | TestRangeUpdates, TestPreludeOrder
//	the matrices are those of the other materials | material.System | TestSystemUniforms, scene159-shader-material-basic
//	floating origin: eye-relative world, cameraPosition zero, copy-free otherwise | Scene.LargeWorld | TestShaderFloatingOrigin
//	defaults: triangles, back faces culled, nearer or equal, depth written | Material.State | TestState
//	blendMode alpha and additive; blend overrides, implies blending, leaves depth alone | AlphaBlending, BlendMode, Blend, Opaque | TestState, scene163-shader-material-alpha, own-shader-blend-modes
//	needAlphaTesting injects nothing; the shader discards | Options.AlphaTesting | TestDepthOnly, scene163-shader-material-alpha
//	depthWrite, depthCompare, culling | DepthWrite, DepthCompare, TwoSided | TestState
//	topology: point, line or triangle list; strips are refused | Options.Topology | TestRefused, TestState, own-shader-topologies
//	stencil | Options.Stencil | TestState, own-shader-stencil
//	materials' views share shader, textures and, until they set their own, uniforms | Material.View | TestViews, TestShaderViews
//	releaseMaterialViewGpu: a view's own uniforms are let go, any number of times | ReleaseUniforms | TestViews, TestShaderViews
//	the GPU's objects belong to whoever draws; two renderers do not disturb each other | renderer.Session | TestShaderUniformUploads
//	transparent draws are sorted by their own centre, opaque ones are not | Material.State | TestState, own-shader-blend-modes
//	several named outputs | Options.Outputs | TestNamedOutputs, TestShaderNamedOutputs, own-shader-outputs
//	an error of the compiler is at the user's own line | composer's source map | TestShaderCompileErrorLine
package shader
