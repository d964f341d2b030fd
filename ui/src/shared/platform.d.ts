/** Browser interfaces that TypeScript 4.8 does not declare yet. */
declare class DecompressionStream { constructor(format: 'gzip'); readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<Uint8Array> }
