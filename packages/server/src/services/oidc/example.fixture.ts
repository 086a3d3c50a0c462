import { exampleOfOidc } from '../engines/oauth-example.fixture.ts';

export const example = exampleOfOidc;
