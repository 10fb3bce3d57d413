const narrow = matchMedia('(max-width: 720px)');

/** Whether the window is as narrow as that of a phone, like the rules of the styles. */
export const isNarrow = (): boolean => narrow.matches;
