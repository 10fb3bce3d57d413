/** Whether code of packages of others runs in this process. */
export const packageCode = { hasRun: false };
