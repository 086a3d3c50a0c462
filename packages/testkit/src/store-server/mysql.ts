import { startStoreServer } from '../store-server.ts';

export const setup = () => startStoreServer('mysql');
