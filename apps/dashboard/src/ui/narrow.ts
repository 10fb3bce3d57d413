const narrow = matchMedia('(max-width: 720px)');

/** Whether the window is as narrow as on a phone, as in the style sheet's rules. */
export const isNarrow = (): boolean => narrow.matches;
