/** Returns full, half and empty stars for a rating from 0 to 5. */
export const starsOf = (rating: number) =>
  Array.from({ length: 5 }, (_, index) => (rating - index >= 0.75 ? 'full' : rating - index >= 0.25 ? 'half' : 'empty'));
