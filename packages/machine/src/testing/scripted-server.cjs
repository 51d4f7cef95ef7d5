'use strict';
// Plain JavaScript, which loads what Node has compiled before: tests start this server many hundred times, most of
// them with an environment that names no such cache.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

enableCompileCache(join(__dirname, '../../../../.cache/compile'));
void import('./scripted-server.ts');
