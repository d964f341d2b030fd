import { test } from 'node:test';
import { checkEveryPage } from './every_page.mjs';

test('every page, light: accessible, within the view, as in its picture, no error', (context) => checkEveryPage('light', context));
