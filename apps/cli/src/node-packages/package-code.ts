/** Whether code of community packages has run in this process. */
export const packageCode = { hasRun: false };
