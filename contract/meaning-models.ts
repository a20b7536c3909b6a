/** Models of the search by meaning, by their names in the settings and in the index. */
export const meaningModels = ['use-m3', 'e5'] as const;
export type MeaningModel = (typeof meaningModels)[number];
