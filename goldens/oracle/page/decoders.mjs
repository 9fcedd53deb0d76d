// The decoders that the engine would fetch from a server of its makers: Draco,
// meshopt and Basis Universal, all from the packages in the lock file.
import { DracoDecoder } from "@babylonjs/core/Meshes/Compression/dracoDecoder.js";
import { MeshoptCompression } from "@babylonjs/core/Meshes/Compression/meshoptCompression.js";
import { KhronosTextureContainer2 } from "@babylonjs/core/Misc/khronosTextureContainer2.js";
import draco from "draco3dgltf/draco_decoder_gltf_nodejs.js";
import dracoBinary from "draco3dgltf/draco_decoder_gltf.wasm";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import basis from "three/examples/jsm/libs/basis/basis_transcoder.js";
import basisBinary from "three/examples/jsm/libs/basis/basis_transcoder.wasm";

/** The transcoder's number for 32 bits of red, green, blue and alpha, and WebGL's for such a texture. */
const RGBA32 = 13;
const RGBA8 = 0x8058;
/** The transfer function in a data format descriptor that stands for sRGB (Khronos Data Format 1.3, table 5.9). */
const SRGB = 2;

/**
 * What the engine wants of its own KTX2 decoder. It gives texels, never blocks,
 * so that both sides sample the same numbers.
 */
class KTX2Decoder {
    async decode(data) {
        const module = await (KTX2Decoder.module ??= basis({ wasmBinary: basisBinary }).then((m) => (m.initializeBasis(), m)));
        const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        const file = new module.KTX2File(bytes);
        try {
            if (!file.isValid()) throw new Error("the KTX2 file is not one of Basis Universal's");
            if (!file.startTranscoding()) throw new Error("the KTX2 file cannot be transcoded");
            if (file.getFaces() !== 1 || file.getLayers() > 1) throw new Error("the KTX2 file is no two-dimensional texture");
            const mipmaps = [];
            for (let level = 0; level < file.getLevels(); level++) {
                const { origWidth: width, origHeight: height } = file.getImageLevelInfo(level, 0, 0);
                const texels = new Uint8Array(file.getImageTranscodedSizeInBytes(level, 0, 0, RGBA32));
                if (!file.transcodeImage(texels, level, 0, 0, RGBA32, 0, -1, -1)) throw new Error(`level ${level} of the KTX2 file cannot be transcoded`);
                mipmaps.push({ data: texels, width, height });
            }
            // The descriptor begins where the header says at byte 48; its third word holds the transfer function.
            const transfer = bytes[new DataView(bytes.buffer, bytes.byteOffset).getUint32(48, true) + 14];
            const { width, height } = mipmaps[0];
            return { width, height, mipmaps, layerCount: 1, transcodedFormat: RGBA8, isInGammaSpace: transfer === SRGB, hasAlpha: !!file.getHasAlpha(), transcoderName: "basis" };
        } finally {
            file.close();
            file.delete();
        }
    }
}

/** Gives the engine its decoders. */
export function provide() {
    // The addresses are never asked for: module and binary are there.
    DracoDecoder.DefaultConfiguration = { wasmUrl: "/draco", wasmBinaryUrl: "/draco", wasmBinary: dracoBinary.buffer, jsModule: draco, numWorkers: 0 };
    globalThis.MeshoptDecoder = MeshoptDecoder;
    MeshoptCompression.Configuration = { decoder: { url: "data:text/javascript," } };
    globalThis.KTX2DECODER = { KTX2Decoder, MSCTranscoder: {}, WASMMemoryManager: {} };
    KhronosTextureContainer2.DefaultNumWorkers = 0;
}
