console.log('test');
