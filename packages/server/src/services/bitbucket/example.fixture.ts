import { exampleOfHost } from '../../repositories/example.fixture.ts';

export const example = exampleOfHost('bitbucket');
