package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names that the composer declares.
const (
	meshStruct     = "MeshUniforms"
	meshVar        = "mesh"
	materialStruct = "MaterialUniforms"
	materialVar    = "material"
	instanceStruct = "InstanceUniforms"
	instanceVar    = "instance"
	instancesVar   = "instances"
	indexVarying   = "instanceIndex"
	outputsStruct  = "Outputs"
	outputsVar     = "outputs"
)

// meshVar is the variable of the mesh's uniform buffer.
func (c *composition) meshVar() string {
	if c.t.MeshVar != "" {
		return c.t.MeshVar
	}
	return meshVar
}

// materialVar is the variable of the material's uniform buffer.
func (c *composition) materialVar() string {
	if c.t.MaterialVar != "" {
		return c.t.MaterialVar
	}
	return materialVar
}

func (c *composition) meshStruct() string     { return structOf(c.t.MeshVar, meshStruct) }
func (c *composition) materialStruct() string { return structOf(c.t.MaterialVar, materialStruct) }

// structOf is the struct of a uniform buffer's variable: shaderSystem is of
// ShaderSystemUniforms, shaderUniforms of ShaderUniforms.
func structOf(variable, def string) string {
	if variable == "" {
		return def
	}
	r, n := utf8.DecodeRuneInString(variable)
	return string(unicode.ToUpper(r)) + strings.TrimSuffix(variable[n:], "Uniforms") + "Uniforms"
}

// samplerName is the helper of a texture: "transmission" is read with sampleTransmission.
func samplerName(texture string) string {
	r, n := utf8.DecodeRuneInString(texture)
	return "sample" + string(unicode.ToUpper(r)) + texture[n:]
}
