import { createSession } from './create-session.ts';
import { endSession } from './end-session.ts';

export const sessionRoutes = [createSession, endSession];
