// A picture that was chosen or dropped, made small enough to send.

const LONGEST_SIDE = 384;

/**
 * Reads a file of any kind that the browser knows, and returns it as PNG bytes, with the bitmap.
 *
 * @throws Error with a message for people
 */
export async function read(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new Error(`${file.name} is no picture that this browser can read: choose a PNG or a JPEG.`);
  }
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const sheet = new OffscreenCanvas(width, height);
  const context = sheet.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return {
    name: file.name,
    bitmap: sheet,
    bytes: await sheet.convertToBlob({ type: "image/png" }),
    isLight: isLight(context.getImageData(0, 0, width, height)),
  };
}

/** Tells whether the edge of a picture is light, as paper is. */
function isLight({ data, width, height }) {
  let sum = 0;
  let number = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) {
        const at = 4 * (y * width + x);
        // Transparent pixels are background to the service, and black.
        sum += ((data[at] + data[at + 1] + data[at + 2]) / 3) * (data[at + 3] / 255);
        number++;
      }
    }
  }
  return sum / number > 127;
}
