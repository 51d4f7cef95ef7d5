console.log('vault');
