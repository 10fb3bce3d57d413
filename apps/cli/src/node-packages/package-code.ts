/** Whether code of node packages has run in this process. */
export const packageCode = { hasRun: false };
