declare module 'virtual:texts/*' {
  export const messages: Record<string, string>;
}
