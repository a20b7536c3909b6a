/** Whether only the computer itself can reach an address. */
export const isLoopback = (url: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
