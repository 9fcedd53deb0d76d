coatAmbient = environmentRadiance(environmentDirection(reflect(-V, coatNormal)), coatAlphaG) * scene.environmentInfos.x
    * ((1.0 - coatF0) * coatBRDF.x + coatF0 * coatBRDF.y) * coatAmount * HORIZON;
