/** The system and processor of a native module, such as `linux-x64`; null for other files. */
export const nativeTarget = (binary: Buffer): string | null => {
  if (binary.length < 64) return null;
  if (binary.readUInt32BE(0) === 0x7f454c46) {
    return named('linux', binary.readUInt16LE(18), { 62: 'x64', 183: 'arm64' });
  }
  if (binary.readUInt16BE(0) === 0x4d5a) {
    const header = binary.readUInt32LE(60);
    if (header + 6 > binary.length || binary.readUInt32BE(header) !== 0x50450000) return null;
    return named('win32', binary.readUInt16LE(header + 4), { 0x8664: 'x64', 0xaa64: 'arm64' });
  }
  if (binary.readUInt32LE(0) === 0xfeedfacf) {
    return named('darwin', binary.readUInt32LE(4), { 0x01000007: 'x64', 0x0100000c: 'arm64' });
  }
  return null;
};

const named = (
  system: string,
  machine: number,
  processors: Readonly<Record<number, string>>,
): string | null => {
  const processor = processors[machine];
  return processor === undefined ? null : `${system}-${processor}`;
};
