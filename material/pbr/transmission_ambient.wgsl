layersAmbient += behind * surfaceAlbedo * transmitted * exp(-material.volumeAbsorption.rgb * thickness) * behindShare;
directDiffuse *= 1.0 - transmitted;
diffuseAmbient *= 1.0 - transmitted;
