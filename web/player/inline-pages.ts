// Pages that play a video inline; its ID is in the address: ?videoId=…
const pages = /^\/(search\/?|notes\/?|playlist\/[^/]+\/?)?$/;

export const hasInlinePlayer = (pathname: string) => pages.test(pathname);
