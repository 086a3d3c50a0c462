import { exampleOfAzure } from '../engines/oauth-example.fixture.ts';

export const example = exampleOfAzure;
