/**
 * Joins the chunks of each list. All results share one newly allocated ArrayBuffer, because a message between threads copies the
 * whole buffer of each view.
 */
export function concatBytes(lists: readonly (readonly Uint8Array[])[]): Uint8Array<ArrayBuffer>[] {
  const block = new Uint8Array(lists.flat().reduce((sum, { byteLength }) => sum + byteLength, 0));
  let end = 0;
  return lists.map((chunks) => {
    const from = end;
    for (const chunk of chunks) {
      block.set(chunk, end);
      end += chunk.byteLength;
    }
    return block.subarray(from, end);
  });
}
