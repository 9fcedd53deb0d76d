/*SU*/
/*MU*/
/*FI*/
/*FB*/
/*FO*/
struct LightResult {
    diffuse: vec3<f32>,
    specular: vec3<f32>,
};
// Blinn-Phong for the four kinds of light: Babylon.js, lightsFragmentFunctions.
fn shadeLight(light: Light, viewDirectionW: vec3<f32>, normalW: vec3<f32>, positionW: vec3<f32>, glossiness: f32) -> LightResult {
    var result: LightResult;
    let kind = light.position.w;
    if (kind == 3.0) {
        let ndl = dot(normalW, light.position.xyz) * 0.5 + 0.5;
        result.diffuse = mix(light.ground.rgb, light.diffuse.rgb, ndl);
        let halfway = normalize(viewDirectionW + light.position.xyz);
        result.specular = pow(max(0.0, dot(normalW, halfway)), max(1.0, glossiness)) * light.specular.rgb;
        return result;
    }
    var toLight = normalize(-light.position.xyz);
    var attenuation = 1.0;
    if (kind != 1.0) {
        let offset = light.position.xyz - positionW;
        attenuation = max(0.0, 1.0 - length(offset) / light.diffuse.w);
        toLight = normalize(offset);
        if (kind == 2.0) {
            let cosAngle = max(0.0, dot(light.direction.xyz, -toLight));
            if (cosAngle < light.direction.w) {
                return result;
            }
            attenuation *= max(0.0, pow(cosAngle, light.ground.w));
        }
    }
    result.diffuse = max(0.0, dot(normalW, toLight)) * light.diffuse.rgb * attenuation;
    let halfway = normalize(viewDirectionW + toLight);
    result.specular = pow(max(0.0, dot(normalW, halfway)), max(1.0, glossiness)) * light.specular.rgb * attenuation;
    return result;
}
/*HF*/
/*CUSTOM_FRAGMENT_DEFINITIONS*/
@fragment
fn fs(input: FragmentInput) /*FR*/ {
    let viewDirectionW = normalize(scene.vEyePosition.xyz - input.vPositionW);
    var baseColor = vec4<f32>(1.0);
    var diffuseColor = material.vDiffuseColor.rgb;
    var alpha = material.vDiffuseColor.a;
    // The projection's sign: a picture that is drawn upside down has its derivatives so too.
    var normalW = normalize(cross(dpdy(input.vPositionW), dpdx(input.vPositionW)) * sign(scene.projection[1].y));
    /*SV*/
    /*CUSTOM_FRAGMENT_MAIN_BEGIN*/
    /*NI*/
    /*AT*/
    /*CUSTOM_FRAGMENT_UPDATE_ALPHA*/
    /*AC*/
    /*CUSTOM_FRAGMENT_UPDATE_DIFFUSE*/
    var baseAmbientColor = vec3<f32>(1.0);
    var specularColor = material.vSpecularColor.rgb;
    var glossiness = material.vSpecularColor.a;
    var emissiveColor = material.vEmissiveColor;
    var reflectionColor = vec3<f32>(0.0);
    /*MF*/
    /*CUSTOM_FRAGMENT_BEFORE_LIGHTS*/
    var diffuseBase = vec3<f32>(0.0);
    var specularBase = vec3<f32>(0.0);
    /*BL*/
    for (var i = 0u; i < lights.count; i++) {
        if ((mesh.lightMask & (1u << i)) != 0u) {
            var shadow = 1.0;
            /*LS*/
            let lit = shadeLight(lights.lights[i], viewDirectionW, normalW, input.vPositionW, glossiness);
            diffuseBase += lit.diffuse * shadow;
            specularBase += lit.specular * shadow;
        }
    }
    /*AD*/
    /*AI*/
    /*CUSTOM_FRAGMENT_BEFORE_FINALCOLORCOMPOSITION*/
    let finalDiffuse = clamp(diffuseBase * diffuseColor + emissiveColor + material.vAmbientColor, vec3<f32>(0.0), vec3<f32>(1.0)) * baseColor.rgb;
    var color = vec4<f32>(finalDiffuse * baseAmbientColor + specularBase * specularColor + reflectionColor, alpha);
    /*CC*/
    color = max(color, vec4<f32>(0.0));
    /*BC*/
    /*BA*/
    /*CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR*/
    outputs.color = color;
    /*GO*/
    /*FW*/
}
