let stretchAlpha = vec2<f32>(max(mix(directAlphaG, 1.0, anisotropy * anisotropy), 0.0005), max(directAlphaG, 0.0005));
let stretchToL = vec3<f32>(dot(stretchTangent, info.L), dot(stretchBitangent, info.L), info.NdotL);
let stretchToV = vec3<f32>(dot(stretchTangent, V), dot(stretchBitangent, V), NdotV);
specularTerm = fresnelSchlick(info.VdotH, colorF0, colorF90)
    * distributionStretched(NdotH, dot(stretchTangent, info.H), dot(stretchBitangent, info.H), stretchAlpha)
    * visibilityStretched(stretchToL, stretchToV, stretchAlpha) * info.NdotL * info.attenuation * light.diffuse.rgb;
