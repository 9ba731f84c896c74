/** The tabs of the page "Models" that its address names after the model. The graph has no name, and Simplify an address of its own. */
export const modelTabs = ['run', 'time', 'weights', 'compare'] as const;
export type ModelTab = (typeof modelTabs)[number];
