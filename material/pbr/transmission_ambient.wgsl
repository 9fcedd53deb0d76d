layersAmbient += behind * surfaceAlbedo * transmitted * behindShare;
directDiffuse *= 1.0 - transmitted;
diffuseAmbient *= 1.0 - transmitted;
