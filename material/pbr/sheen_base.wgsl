let sheenReflectance = textureSampleLevel(brdfTexture, brdfTextureSampler, vec2<f32>(NdotV, sheenRoughness), 0.0).b;
let underSheen = 1.0 - max(sheenColor.r, max(sheenColor.g, sheenColor.b)) * sheenReflectance;
directDiffuse *= underSheen;
directSpecular *= underSheen;
diffuseAmbient *= underSheen;
specularAmbient *= underSheen;
