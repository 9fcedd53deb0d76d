/*SU*/
/*MU*/
/*FI*/
/*FB*/
/*FO*/
const PI: f32 = 3.14159265358979323846;
// Trowbridge-Reitz: Walter et al. 2007, "Microfacet Models for Refraction".
fn distributionGGX(NdotH: f32, alphaG: f32) -> f32 {
    let a2 = alphaG * alphaG;
    let d = NdotH * NdotH * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d);
}
// Height-correlated Smith visibility: Heitz 2014.
fn visibilitySmith(NdotL: f32, NdotV: f32, alphaG: f32) -> f32 {
    let a2 = alphaG * alphaG;
    let gv = NdotL * sqrt(NdotV * (NdotV - a2 * NdotV) + a2);
    let gl = NdotV * sqrt(NdotL * (NdotL - a2 * NdotL) + a2);
    return 0.5 / (gv + gl);
}
fn fresnelSchlick(VdotH: f32, f0: vec3<f32>, f90: vec3<f32>) -> vec3<f32> {
    return f0 + (f90 - f0) * pow(1.0 - VdotH, 5.0);
}
fn saturateEps(x: f32) -> f32 { return clamp(x, 0.0000001, 1.0); }
// What one light sends to the surface, before the surface answers.
struct Incident {
    L: vec3<f32>,
    H: vec3<f32>,
    NdotL: f32,
    NdotLUnclamped: f32,
    VdotH: f32,
    attenuation: f32,
    hemispheric: f32, // 1 for a hemispheric light
};
fn incident(light: Light, N: vec3<f32>, V: vec3<f32>, positionW: vec3<f32>, physical: bool) -> Incident {
    var r: Incident;
    let kind = light.position.w;
    r.attenuation = 1.0;
    if (kind == 3.0) {
        r.hemispheric = 1.0;
        r.L = normalize(light.position.xyz);
        r.NdotLUnclamped = dot(N, light.position.xyz) * 0.5 + 0.5;
    } else {
        r.L = normalize(-light.position.xyz);
        if (kind != 1.0) {
            let offset = light.position.xyz - positionW;
            let d2 = dot(offset, offset);
            r.L = normalize(offset);
            // Three falloffs, chosen without branches: Mesa 22's JIT fails on the nest of them.
            let gltf = light.falloff.w == 2.0;
            let inverseSquare = physical && light.falloff.w != 3.0;
            // KHR_lights_punctual's window, squared (Karis 2013).
            let w = d2 * light.falloff.x;
            let window = clamp(1.0 - w * w, 0.0, 1.0);
            let square = 1.0 / max(d2, 0.0000001);
            let near = max(0.0, 1.0 - sqrt(d2) / light.diffuse.w);
            r.attenuation = select(select(near, square, inverseSquare), window * window * square, gltf);
            // Cones: cosine power, a spherical Gaussian that falls to 1 % at the edge, and glTF's ramp.
            let c = dot(-light.direction.xyz, r.L);
            let power = select(0.0, max(0.0, pow(max(c, 0.0), light.ground.w)), c >= light.direction.w);
            let gauss = exp2(6.64385618977 / max(1.0 - light.direction.w, 0.0001) * (c - 1.0));
            let ramp = clamp(c * light.falloff.y + light.falloff.z, 0.0, 1.0);
            r.attenuation *= select(1.0, select(select(power, gauss, inverseSquare), ramp * ramp, gltf), kind == 2.0);
        }
        r.NdotLUnclamped = dot(N, r.L);
    }
    r.NdotL = saturateEps(r.NdotLUnclamped);
    r.H = normalize(V + r.L);
    r.VdotH = clamp(dot(V, r.H), 0.0, 1.0);
    return r;
}
/*HF*/
/*CUSTOM_FRAGMENT_DEFINITIONS*/
@fragment
fn fs(input: FragmentInput) /*FR*/ {
    let V = normalize(scene.vEyePosition.xyz - input.vPositionW);
    var baseColor = material.baseColor.rgb;
    var alpha = material.baseColor.a;
    var metallic = material.metallicRoughness.x;
    var roughness = material.metallicRoughness.y;
    var emissive = material.emissive;
    var occlusion = 1.0;
    var N = normalize(cross(dpdy(input.vPositionW), dpdx(input.vPositionW)) * sign(scene.projection[1].y));
    /*SV*/
    /*CUSTOM_FRAGMENT_MAIN_BEGIN*/
    /*AT*/
    /*CUSTOM_FRAGMENT_UPDATE_ALPHA*/
    /*AC*/
    /*CUSTOM_FRAGMENT_UPDATE_DIFFUSE*/
    // The surface's own normal; the side that is seen decides its sign.
    var geometricNormal = N;
    /*NI*/
    let NdotVUnclamped = dot(N, V);
    let NdotV = abs(NdotVUnclamped) + 0.0000001;
    roughness = clamp(roughness, 0.0, 1.0);
    let dielectricF0 = material.metallicRoughness.z;
    var colorF0 = mix(vec3<f32>(dielectricF0), baseColor, metallic);
    var colorF90 = vec3<f32>(1.0);
    var surfaceAlbedo = baseColor * (1.0 - dielectricF0) * (1.0 - metallic);
    /*MF*/
    /*CUSTOM_FRAGMENT_BEFORE_LIGHTS*/
    // Specular anti-aliasing by the curvature of the normals (zero unless a fragment sets it):
    // a floor of the roughness for direct light, an addition to alphaG for the environment.
    var roughnessFloor = 0.0;
    var alphaG = roughness * roughness + 0.0005;
    /*SA*/
    let directRoughness = max(roughness, roughnessFloor);
    let directAlphaG = directRoughness * directRoughness + 0.0005;
    var directDiffuse = vec3<f32>(0.0);
    var directSpecular = vec3<f32>(0.0);
    // What lights reflect at grazing angles.
    var directF90 = colorF90;
    // Light of layers between the base and the outermost one.
    var directLayers = vec3<f32>(0.0);
    /*BL*/
    for (var i = 0u; i < lights.count; i++) {
        if ((mesh.lightMask & (1u << i)) != 0u) {
            let light = lights.lights[i];
            var shadow = 1.0;
            /*LS*/
            let info = incident(light, N, V, input.vPositionW, material.metallicRoughness.w != 0.0);
            var diffuseTerm = light.diffuse.rgb * info.NdotL * info.attenuation * (1.0 / PI);
            if (info.hemispheric == 1.0) {
                diffuseTerm = mix(light.ground.rgb, light.diffuse.rgb, info.NdotL);
            }
            let NdotH = saturateEps(dot(N, info.H));
            var specularTerm = fresnelSchlick(info.VdotH, colorF0, directF90) * distributionGGX(NdotH, directAlphaG)
                * visibilitySmith(info.NdotL, NdotV, directAlphaG) * info.NdotL * info.attenuation * light.diffuse.rgb;
            var layerTerm = vec3<f32>(0.0);
            // What the layers above let through of this light.
            var through = vec3<f32>(1.0);
            /*LI*/
            directDiffuse += diffuseTerm * through * shadow;
            directSpecular += specularTerm * through * shadow;
            directLayers += layerTerm * through * shadow;
        }
    }
    directDiffuse *= surfaceAlbedo;
    /*AD*/
    var diffuseAmbient = vec3<f32>(0.0);
    var specularAmbient = vec3<f32>(0.0);
    var layersAmbient = vec3<f32>(0.0);
    var reflectionDirection = reflect(-V, N);
    var irradianceNormal = N;
    /*RD*/
    /*AI*/
    /*CUSTOM_FRAGMENT_BEFORE_FINALCOLORCOMPOSITION*/
    var linear = directDiffuse + directSpecular + directLayers;
    var ambient = diffuseAmbient + specularAmbient + layersAmbient;
    /*LC*/
    linear += ambient + emissive;
    /*BC*/
    linear = max(linear, vec3<f32>(0.0));
    /*FG*/
    var color = vec4<f32>(linear, alpha);
    /*IP*/
    /*BA*/
    /*CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR*/
    outputs.color = color;
    /*GO*/
    /*FW*/
}
