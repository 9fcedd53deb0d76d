// Package plugin adds WGSL, uniforms and textures to a material of another
// family and keeps that family's lighting, shadows and features. It is what
// Babylon.js calls material plugins.
//
//	grey := &plugin.Plugin{Name: "grey", Code: map[plugin.Point]string{
//		plugin.FragmentBeforeFragColor: `
//	let luma = dot(color.rgb, vec3<f32>(0.3, 0.59, 0.11));
//	color = vec4<f32>(luma, luma, luma, color.a);`,
//	}}
//	m, err := plugin.Wrap(standard.Colored("wall", 0.2, 0.3, 0.9), grey)
//
// A wrapped material is a material like any other. What its plugins are, is
// settled when it is baked: Wrap bakes, and Bake takes on what has changed
// since. The names that a point's code may use are told at the points' constants.
//
// The points are markers in the families' templates. A marker that nothing
// fills leaves no trace, so a scene without plugins composes to the same bytes
// whether or not this package is in the program.
//
// LoadFile reads a plugin from WGSL and a descriptor; package scenes/plugins
// puts such files on whole scenes, as "render gltf --plugin FILE" does.
//
// # What the reference engine promises, and what shows it
//
// The rows follow the documentation of its material plugins, in the same order:
// its promise, our name, the tests or catalogue scenes.
//
//	WGSL, uniforms and samplers on top of PBR and standard, lighting kept | Wrap | TestPoints, TestDeclarations, scene217-material-plugin
//	plugins are plain data, attached per material | Plugin, Material.Plugins | TestPriority, TestNested
//	explicit opt-in; scenes without plugins have the very shaders as before | Wrap | TestPluginFree, TestLinked
//	CUSTOM_FRAGMENT_DEFINITIONS, their slot HF | FragmentDefinitions | TestPoints, TestLoadFile
//	CUSTOM_FRAGMENT_MAIN_BEGIN, SV | FragmentMainBegin | TestPoints
//	CUSTOM_FRAGMENT_UPDATE_ALPHA, AT | FragmentUpdateAlpha | TestPoints, TestAlphaPoints
//	CUSTOM_FRAGMENT_UPDATE_DIFFUSE, AC | FragmentUpdateDiffuse | TestPoints, TestAlphaPoints
//	CUSTOM_FRAGMENT_BEFORE_LIGHTS, MF | FragmentBeforeLights | TestPoints
//	CUSTOM_FRAGMENT_BEFORE_FINALCOLORCOMPOSITION, AI and NI | FragmentBeforeFinalColor | TestPoints
//	CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR, BC: color, after tone mapping, in both families | FragmentBeforeFragColor | TestPoints, scene217-material-plugin
//	CUSTOM_VERTEX_MAIN_BEGIN, VR | VertexMainBegin | TestPoints
//	CUSTOM_VERTEX_UPDATE_WORLDPOS, VW | VertexUpdateWorldPos | TestPoints, TestPluginVertex
//	CUSTOM_VERTEX_MAIN_END, VB | VertexMainEnd | TestPoints, TestPluginVertex
//	unknown points are refused | Wrap's errors | TestRefused
//	PluginUboField: name, WGSL type, visibility | Uniform | TestDeclarations, TestRefused
//	PluginVaryingDecl | Varying | TestDeclarations, TestPluginVertex, own-plugin-gltf
//	PluginSamplerDecl: texture, sampler, depth, non-filtering, visibility | Sampler | TestDeclarations, TestRefused, TestPluginVertex
//	priority, lower first, 500 by default, stable | Plugin.Priority | TestPriority
//	isEnabled, on by default | Plugin.Disabled | TestToggle, TestPluginToggle
//	dynamic: values refreshed for every frame | Plugin.Dynamic | TestValues, TestPluginTwoScenes
//	static values stay as registered | Plugin.Values | TestValues
//	defines, part of the key | Plugin.Defines | TestDeclarations, TestSignature
//	getCustomCode per stage | Plugin.Code | TestPoints
//	writeUbo | Plugin.Values | TestValues, TestPluginToggle
//	bindTextures, getActiveTextures | Plugin.Textures | TestValues, TestPluginTextureGone, TestMisuseBeforeGPU
//	PBR: uniforms in the material's buffer, material.NAME | Plugin.Uniforms | TestDeclarations, TestPluginToggle
//	standard: a buffer of the plugins' own, pluginUbo.NAME, one for each material | Plugin.Uniforms | TestDeclarations, TestPluginsShareOnePipeline
//	a uniform's name that the material or another plugin has is refused | Wrap's and Shader's errors | TestConflicts
//	varyings and vertex-visible uniforms, textures and samplers, also in depth passes | Visibility | TestDeclarations, TestPluginVertex
//	signature: names, priorities, on or off, defines, code, uniforms, samplers | Material.Signature | TestSignature
//	signatures never run out nor are used twice | Material.Signature | TestSignature
//	equal plugins share a pipeline and keep their own values | composer.Key | TestPluginsShareOnePipeline
//	a change of a plugin in use gives another variant, the picture follows | Bake, material.Versioned | TestToggle, TestPluginToggle
//	re-baking is failure-atomic; the caller's plugins are not reverted | Bake | TestBakeIsAtomic, TestPluginToggle
//	removing the last plugin gives the plain material back | Bake | TestToggle, TestPluginToggle, TestVariants
//	state is owned per scene: two scenes share a material, either may be closed | renderer.Session | TestPluginTwoScenes
//	buffers live as long as what is drawn with them, and a bake leaves none behind | renderer.Session | TestPluginTwoScenes, TestShaderLetsGo
//	vertex alpha, four and eight bones, shadows, geometry passes and the like go on working | Material.Shader | TestVariants, TestPluginWithShadows, own-plugin-gltf
//	scenes on one or on separate devices | renderer.Session | TestPluginTwoScenes, TestPluginTwoDevices
//	a plugin from a file, on any model | LoadFile, render gltf --plugin | TestLoadFile, TestApplyPlugin, TestGltfPlugin
//	no global registration | there is none | TestPluginFree
//	a compiler's error is at the plugin's own line | composer's source map | TestPluginCompileErrorLine, TestLoadFile
//	scene 217 | catalogue | scene217-material-plugin
package plugin
