// A film whose picture shows the number of its frame: bars of 16 pixels are its bits.

const bits = 14;
export const numberedRate = 25;

/** Source of ffmpeg; `duration` is appended to it. */
export const numberedPicture = (size = `${16 * bits}x96`): string =>
  [
    `color=size=${16 * bits}x96:rate=${numberedRate}`,
    `geq=lum='16+219*mod(floor(N/pow(2,floor(X/16))),2)':cb=128:cr=128`,
    `scale=${size.replace('x', ':')}:flags=neighbor`,
    'trim=start=0',
  ].join(',');

/** Expression for a browser: the number of the frame that is shown. */
export const shownFrame = `(() => {
  const video = document.querySelector('video');
  const { videoWidth: width, videoHeight: height } = video;
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  context.drawImage(video, 0, 0);
  let number = 0;
  for (let bit = 0; bit < ${bits}; bit++) {
    const x = Math.floor(((bit + 0.5) * width) / ${bits});
    if (context.getImageData(x, height / 2, 1, 1).data[0] > 128) number += 2 ** bit;
  }
  return number;
})()`;
