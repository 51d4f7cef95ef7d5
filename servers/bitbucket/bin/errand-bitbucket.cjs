#!/usr/bin/env node
'use strict';
require('@errand/launcher').launch(require('path').dirname(__dirname));
