import { exampleOfProvider } from '../engines/oauth-example.fixture.ts';

export const example = exampleOfProvider;
