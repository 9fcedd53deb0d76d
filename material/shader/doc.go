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
// mesh's skin in it, and getFinalInput(input) is input with the mesh's morph
// targets in its position, normal and tangent; a mesh with morph targets needs
// FinalInput. Instances may be culled on the device; the shader does not see it.
// Under a floating origin the system values are relative to
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
// What a user gets wrong is an error of one line with the material's name: New
// and the setters say it at once, and what only a mesh or a pass shows is said
// when a frame is planned, before anything of it reaches the device.
//
// LoadFile reads a material from WGSL and a descriptor, as "render gltf --plugin
// FILE" does through package scenes/plugins.
//
// # What the reference engine promises, and what shows it
//
// The rows follow the documentation of its ShaderMaterial, in the same order:
// its promise, our name, the tests or catalogue scenes. What a browser needs and
// a desktop does not (code splitting, promises) has no row.
//
//	createShaderMaterial: a synchronous factory over WGSL strings | New | TestRefused, scene159-shader-material-basic
//	no GLSL, no preprocessor | New's errors | TestRefused
//	a material is plain data; layouts come from typed options, never from parsing emitted WGSL | Options | TestPreludeOrder, TestKeys
//	options are snapshotted: the caller's later changes do nothing | New | TestFormats, TestSnapshot
//	blend: an explicit state, implies blending, no depth write unless asked for, part of the key | Options.Blend | TestState, TestShaderPipelineKey, TestShaderBlendStates, own-shader-blend-modes
//	topology: point, line or triangle list, triangles by default, part of the key; strips are refused | Options.Topology | TestRefused, TestState, TestShaderPipelineKey, own-shader-topologies
//	attributes by name, in binding and location order, unsupported ones refused, position required | Options.Attributes | TestPreludeOrder, TestRefused
//	setShaderAttributeFormats: type and stride follow the declared format, snapshotted | Options.Formats | TestFormats
//	mesh with another format than declared is refused | Material.Shader | TestFormats, TestMisuseBeforeGPU
//	storage-backed streams with a packing of the mesh's own, one pipeline for each packing, base vertex kept | material/streams | TestShaderPackedStreams, TestShaderComputedStreams
//	missing streams are zero-filled with zero stride, white under final colour | composer.Attribute.Constant | TestMissingStreams, TestShaderMissingStreamsAreZero
//	interleaved glTF meshes | the loader unpacks them to streams of the usual formats | TestAccessorFloats, TestGltfPlugin
//	thin instances: world0 … world3, instanceColor after the declared attributes | material/instances | TestInstances, TestShaderInstances, scene165-shader-material-thin-instances
//	GPU culling of instances, the same picture | scenes.Node.CullInstances | TestShaderCulledInstances, scene165-shader-material-thin-instances-culled
//	useThinInstanceColors; a caster without them shares the matrices | Options.NoInstanceColors | TestInstances, TestShaderCulledInstances
//	enableShaderMaterialInstanceWorld: getFinalWorld(input), needs world | Options.InstanceWorld | TestInstances, TestSkinAndMorph, TestRefused
//	enableShaderMaterialFinalColor: getFinalColor(input) | Options.FinalColor | TestFinalColor, TestShaderMissingStreamsAreZero
//	materials without the helpers keep the plain prelude | New | TestPlainPrelude
//	(beyond it) morph targets: getFinalInput(input) | Options.FinalInput | TestSkinAndMorph, TestShaderMorph, own-shader-model
//	nine system uniforms: world … alphaCutoff (0.4 before it is set) | System | TestSystemUniforms, TestPreludeOrder
//	typed custom uniforms with defaults; an untyped name is refused | Uniform | TestRangeUpdates, TestRefused, scene161-shader-material-uniform
//	samplers by name, sample types float, unfilterable-float and depth; depth does not filter | Sampler | TestPreludeOrder, TestSetters, scene160-shader-material-texture, own-shader-sample-types
//	external textures: declared, sampled with textureSampleBaseClampToEdge, nearest and clamped | Options.Externals, External | TestShaderExternalTexture, TestPreludeOrder, own-video-1s
//	external frames are imported for every frame; the source stays the caller's | FrameSource | TestShaderExternalTexture, TestGIF, TestY4M, TestPNGs
//	isExternalTextureReady | External.Ready | TestShaderExternalTexture
//	a name in both samplers and externalTextures is refused | New | TestRefused
//	defines become typed constants and part of the key | Options.Defines | TestPreludeOrder, TestKeys, TestShaderPipelineKey, scene162-shader-material-defines
//	setShaderUniform: unknown name, wrong type and wrong count are refused | Material.Set | TestSetters
//	setShaderFloat, setShaderVector3, setShaderMatrix | SetFloat, SetVec2, SetVec3, SetVec4, SetMatrix | TestSetters
//	enableShaderMaterialUniformCaching: only what was set is packed again | always on | TestRangeUpdates, TestSetDoesNotAllocate
//	enableShaderUniformRangeUpdates: one range about all changes, 4-byte aligned, whole at first; several scenes | always on | TestRangeUpdates, TestShaderUniformUploads
//	system uniforms upload nothing of the custom buffer | always so | TestShaderUniformUploads
//	setShaderTexture: unknown sampler and wrong kind are refused, the same again changes nothing | Material.SetTexture | TestSetters, TestResourceVersion
//	a texture that is bound anew or resized is seen by the next frame | bind groups are made for each frame | TestShaderTextureBound, TestShaderResizedTarget
//	textures that are no longer bound are let go | renderer.Session | TestShaderLetsGo
//	setShaderExternalTexture, getShaderExternalTexture | SetExternal, External | TestSetters, TestViews
//	storage buffers that the shader reads | Options.Buffers, SetBuffer | TestSetters, TestShaderStorageBuffer
//	entry points mainVertex and mainFragment are the user's, unchanged | Options.VertexEntry, FragmentEntry | TestRefused, TestShaderCompileErrorLine
//	the prelude's order and names | Material.Shader | TestPreludeOrder, TestPlainPrelude
//	user code must not declare groups, VertexInput or generated names | New's errors | TestRefused, TestTaken
//	duplicate identifiers of uniforms, samplers, external textures and defines are refused | New's errors | TestRefused
//	what is not bound is refused before anything is drawn | Material.Check | TestUnbound, TestMisuseBeforeGPU
//	per-material grouping; hidden meshes are not drawn | renderer.Session | TestShaderMaterialSwap
//	transparent draws are sorted by their own centre, opaque ones are not | Material.State | TestState, TestShaderSortsTransparent
//	sharing of equivalent materials' modules, layouts and pipelines, values apart | always on: renderer's caches go by content | TestShaderMaterialsShareOnePipeline, TestKeys
//	sharing test: default and enabled sharing of independent materials | always on | TestShaderMaterialsShareOnePipeline
//	sharing test: distinct code, declarations, vertex layouts and render state stay apart | the complete key | TestKeys, TestShaderPipelineKey, TestShaderPackedStreams
//	sharing test: materials that another device has cached | a Renderer has caches of its own | TestShaderTwoDevices
//	sharing test: cache generations, source-first views | Renderer.ClearPipelines | TestShaderClearPipelines
//	sharing test: one traversal for each layout, equal layouts share | renderer.Session's own uses | TestShaderPrepare, TestShaderMaterialsShareOnePipeline
//	sharing test: late joiners use what is compiled, keys do not change | keys go by content | TestShaderPrepare
//	sharing test: asynchronous preparation, deduplicated for plain, instanced and coloured | Session.Prepare | TestShaderPrepare
//	bind group layout: system at 0, custom at 1, textures, external textures | Material.Shader | TestPreludeOrder
//	uniform layout as computeUboLayout | composer.Layout | TestRangeUpdates, TestPreludeOrder, TestLayoutsOnDevice
//	the matrices are those of the other materials | material.System | TestSystemUniforms, scene159-shader-material-basic
//	floating origin: eye-relative world, cameraPosition zero | Scene.LargeWorld | TestShaderFloatingOrigin
//	defaults: triangles, back faces culled, nearer or equal, depth written | Material.State | TestState
//	blendMode alpha and additive | AlphaBlending, BlendMode | TestState, scene163-shader-material-alpha, own-shader-blend-modes
//	needAlphaTesting injects nothing; the shader discards | Options.AlphaTesting | TestDepthOnly, scene163-shader-material-alpha
//	depthWrite, depthCompare, culling | DepthWrite, DepthCompare, TwoSided | TestState, TestShaderPipelineKey
//	stencil | Options.Stencil | TestState, own-shader-stencil, own-shader-stencil-operations
//	material swaps | scenes.Mesh.Material | TestShaderMaterialSwap
//	materials' views share shader, textures and, until they set their own, uniforms | Material.View | TestViews, TestShaderViews
//	releaseMaterialViewGpu: a view's own uniforms are let go, any number of times | ReleaseUniforms | TestViews, TestShaderViews, TestShaderLetsGo
//	the GPU's objects belong to whoever draws; two renderers do not disturb each other | renderer.Session | TestShaderUniformUploads, TestShaderTwoDevices
//	several named outputs | Options.Outputs | TestNamedOutputs, TestShaderNamedOutputs, own-shader-outputs
//	an error of the compiler is at the user's own line | composer's source map | TestShaderCompileErrorLine, TestLoadFile, TestGltfPlugin
//	GPU picking refuses formats it cannot read | there is no picking | TestFormats
package shader
