// Pages that play a video inline; its ID is in the address: ?videoId=…
const pages = /^\/(search\/?|playlist\/[^/]+\/?)?$/;

export const hasInlinePlayer = (pathname: string) => pages.test(pathname);
