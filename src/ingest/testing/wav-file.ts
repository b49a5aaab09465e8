/** A second of a tone, as 16-bit samples. Other pitches are other bytes. */
export function wavFile(pitch = 440, rate = 8000): Buffer {
  const data = Buffer.alloc(rate * 2);
  for (let at = 0; at < rate; at += 1) {
    data.writeInt16LE(Math.round(Math.sin((2 * Math.PI * pitch * at) / rate) * 10_000), at * 2);
  }
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
