let sheenAlphaG = sheenRoughness * sheenRoughness + alphaG - roughness * roughness;
layersAmbient += environmentRadiance(reflected, sheenAlphaG) * scene.environmentInfos.x * sheenColor * sheenReflectance * specularOcclusion * horizon;
