// OSC 1.0 packets: what travels on the WebSocket, both ways.

const encoder = new TextEncoder(), decoder = new TextDecoder();

// A number that is to go as another type than a float of 32 bits.
export const double = (value) => ({ type: "d", value });
export const int = (value) => ({ type: "i", value });

function text(bytes, value) {
  const utf8 = encoder.encode(value);
  for (const byte of utf8) bytes.push(byte);
  for (let pad = 4 - (utf8.length % 4); pad > 0; pad--) bytes.push(0);
}

// Numbers go as floats, texts as texts, truths as T and F.
export function encode(address, ...values) {
  const bytes = [];
  text(bytes, address);
  const types = values.map(typeOf);
  text(bytes, "," + types.join(""));
  values.forEach((value, index) => put(bytes, types[index], value?.value ?? value));
  return new Uint8Array(bytes);
}

function typeOf(value) {
  return value?.type ??
    (typeof value === "string" ? "s" : typeof value === "boolean" ? (value ? "T" : "F") : "f");
}

function put(bytes, type, value) {
  const view = new DataView(new ArrayBuffer(8));
  switch (type) {
    case "s":
      text(bytes, value);
      break;
    case "f":
      view.setFloat32(0, value);
      bytes.push(...new Uint8Array(view.buffer, 0, 4));
      break;
    case "i":
      view.setInt32(0, value);
      bytes.push(...new Uint8Array(view.buffer, 0, 4));
      break;
    case "d":
      view.setFloat64(0, value);
      bytes.push(...new Uint8Array(view.buffer));
      break;
  }
}

// Calls `told` with address and values of each message of a packet, bundles within bundles too.
export function decode(buffer, told, start = 0, end = buffer.byteLength) {
  const view = new DataView(buffer), bytes = new Uint8Array(buffer);
  let place = start;
  const string = () => {
    let last = place;
    while (last < end && bytes[last] !== 0) last++;
    const value = decoder.decode(bytes.subarray(place, last));
    place = last + 4 - ((last - place) % 4);
    return value;
  };
  const address = string();
  if (address === "#bundle") {
    place += 8;
    while (place + 4 <= end) {
      const size = view.getUint32(place);
      decode(buffer, told, place + 4, place + 4 + size);
      place += 4 + size;
    }
    return;
  }
  const values = [];
  for (const type of string().slice(1)) {
    switch (type) {
      case "f":
        values.push(view.getFloat32(place));
        place += 4;
        break;
      case "i":
        values.push(view.getInt32(place));
        place += 4;
        break;
      case "d":
        values.push(view.getFloat64(place));
        place += 8;
        break;
      case "h":
        values.push(Number(view.getBigInt64(place)));
        place += 8;
        break;
      case "s":
        values.push(string());
        break;
      case "T":
        values.push(true);
        break;
      case "F":
        values.push(false);
        break;
      default:
        return;
    }
  }
  told(address, values);
}
