let coatReflected = coatFresnel(info.VdotH, coatF0) * coatAmount;
let coatNdotL = saturateEps(dot(coatNormal, info.L));
coatDirect += coatReflected * distributionGGX(saturateEps(dot(coatNormal, info.H)), coatDirectAlphaG) * 0.25 / (info.VdotH * info.VdotH + 0.0000001)
    * coatNdotL * info.attenuation * shadow * light.diffuse.rgb;
through *= (1.0 - coatReflected) * ABSORPTION;
