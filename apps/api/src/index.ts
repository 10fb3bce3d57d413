export { type RunningApi, startApi } from './api.ts';
export { createApp } from './app.ts';
export { type ApiContext, createContext } from './context.ts';
