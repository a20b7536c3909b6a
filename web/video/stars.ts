/** Full, half and empty stars of a rating from 0 to 5. */
export const starsOf = (rating: number) =>
  Array.from({ length: 5 }, (_, place) => (rating - place >= 0.75 ? 'full' : rating - place >= 0.25 ? 'half' : 'empty'));
