let coatBRDF = textureSampleLevel(brdfTexture, brdfTextureSampler, vec2<f32>(coatNdotV, coatRoughness), 0.0).rgb;
coatAmbient = environmentRadiance(environmentDirection(reflect(-V, coatNormal)), coatAlphaG) * scene.environmentInfos.x
    * ((1.0 - coatF0) * coatBRDF.x + coatF0 * coatBRDF.y) * coatAmount * HORIZON;
coatDirect *= 1.0 + colorF0 * (1.0 / max(coatBRDF.y, 0.001) - 1.0);
