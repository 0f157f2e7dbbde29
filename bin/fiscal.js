#!/usr/bin/env node
const { main } = require('../dist/main.js');

void main();
