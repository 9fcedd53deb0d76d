let stretchBase = roughness * roughness + 0.0005;
let stretchAlpha = max(vec2<f32>(mix(stretchBase, 1.0, anisotropy * anisotropy), stretchBase), vec2<f32>(roughnessFloor * roughnessFloor));
let stretchToL = vec3<f32>(dot(stretchTangent, info.L), dot(stretchBitangent, info.L), info.NdotL);
let stretchToV = vec3<f32>(dot(stretchTangent, V), dot(stretchBitangent, V), NdotV);
specularTerm = fresnelSchlick(info.VdotH, colorF0, directF90)
    * distributionStretched(NdotH, dot(stretchTangent, info.H), dot(stretchBitangent, info.H), stretchAlpha)
    * visibilityStretched(stretchToL, stretchToV, stretchAlpha) * info.NdotL * info.attenuation * light.diffuse.rgb;
